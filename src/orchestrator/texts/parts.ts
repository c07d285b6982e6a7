import type { PlannedTask } from "../../requirements/index.js";
import { type Language, inertLine, marker } from "../../shared/index.js";

const WORDS = {
  en: {
    head: "Parts of others",
    wanted: "tick one when its proof is there",
    proof: "proof",
    mock: "a stand-in is used meanwhile",
  },
  zh: { head: "由他人完成的部分", wanted: "有了证明就勾选", proof: "证明", mock: "暂用替身" },
} as const satisfies Record<Language, unknown>;

/** The list of what somebody else has to do, with boxes for people to tick. */
export function partsText(requirement: string, parts: readonly PlannedTask[], language: Language): string {
  const say = WORDS[language];
  const lines = parts.map(({ id, title, done, external }) => {
    const mock = external?.mock ? ` · ${say.mock}: ${inertLine(external.mock)}` : "";
    const proof = ` · ${say.proof}: ${inertLine(external?.proof ?? "")}`;
    return `- [${done ? "x" : " "}] **${id}** ${inertLine(title)} — ${inertLine(external?.who ?? "")}${proof}${mock}`;
  });
  return [`**${say.head}** · ${requirement} · ${say.wanted}`, "", ...lines].join("\n");
}

/** Whether a comment is such a list, by its marker. */
export function isPartsList(comment: string): boolean {
  return comment.includes(marker("parts").replace(/\s*-->$/, ""));
}

/** The boxes of such a list, as people left them. */
export function partsIn(text: string): { id: string; done: boolean }[] {
  return [...text.matchAll(/^[-*] \[([ xX])\] \*\*(T\d+)\*\*/gm)].map(([, box, id = ""]) => ({
    id,
    done: box !== " ",
  }));
}
