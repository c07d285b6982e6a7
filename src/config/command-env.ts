import { z } from "zod";

const text = z.string().optional();

/** What commands and the Action read of the environment besides the server's settings. */
export const CommandEnv = z.object({
  GITHUB_TOKEN: text.describe(
    "Token for `replay` and the Action; without it, and without APP_ID and PRIVATE_KEY, they stop with CONFIG_MISSING.",
  ),
  GITHUB_API_URL: text.describe(
    "Address of GitHub's API, set by the Actions runner; without it GHE_HOST's, else api.github.com.",
  ),
  GITHUB_EVENT_NAME: text.describe("Set by the Actions runner; without it the Action stops."),
  GITHUB_EVENT_PATH: text.describe(
    "File with the event, set by the Actions runner; without it the Action stops.",
  ),
  GITHUB_RUN_ID: text.describe(
    "Id of the workflow run, set by the Actions runner; without it the Action stops.",
  ),
  GITHUB_RUN_ATTEMPT: text.describe(
    "Which try of the workflow run this is, set by the Actions runner; without it the first.",
  ),
  GITHUB_OUTPUT: text.describe(
    "File for the step's outputs, set by the Actions runner; without it none are written.",
  ),
  GITHUB_STEP_SUMMARY: text.describe(
    "File for the step's summary, set by the Actions runner; without it none is written.",
  ),
  RUNNER_TEMP: text.describe(
    "Data folder of the Action, set by the Actions runner; without it the system's temporary folder.",
  ),
  HOME: text.describe("Where git's settings of a person lie; without it only the repository's own count."),
  PATH: text.describe(
    "Where git, bwrap and the target's tools are found; without it the system's usual folders.",
  ),
  NO_COLOR: text.describe("When set, the terminal shows no colours."),
  ACCRUE_FORGE_LOG: text.describe(
    "File to which the demo's embedded GitHub appends every exchange; without it none is written.",
  ),
});
