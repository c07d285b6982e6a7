import { type Language, marker } from "../../shared/index.js";
import { fullName } from "../site.js";
import type { ServicePublication } from "../types.js";

const TOGETHER = "together";

/** The line of the requirement's own pull request that names those in other repositories; also in a form that is found again. */
export function togetherText(services: readonly ServicePublication[], language: Language): string[] {
  const pulls = services.flatMap(pullName);
  if (pulls.length === 0) return [];
  return [`${belongsTo(pulls, language)}\n${marker(TOGETHER, pulls.join(" "))}`];
}

/** Pull requests in other repositories that the body of a requirement's own names. */
export function pullsTogether(body: string): { repository: string; pull: number }[] {
  const line = new RegExp(marker(TOGETHER, String.raw`([\w./# -]+)`)).exec(body)?.[1] ?? "";
  return line.split(" ").flatMap((name) => {
    const [, repository = "", pull = ""] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(name) ?? [];
    return pull === "" ? [] : [{ repository, pull: Number(pull) }];
  });
}

/** Says with which other pull requests one belongs together. */
export function belongsTo(pulls: readonly string[], language: Language): string {
  return language === "zh"
    ? `与 ${pulls.join("、")} 属于同一需求，请一起合并。`
    : `Belongs together with ${pulls.join(", ")}: merge them together.`;
}

/** A service's pull request as GitHub links it from anywhere; empty while there is none. */
export function pullName({ site }: ServicePublication): string[] {
  return site.pull === null ? [] : [`${fullName(site.repository)}#${site.pull}`];
}
