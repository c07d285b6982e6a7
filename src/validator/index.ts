// Decides from observed checks whether a result may be published.
export { custom as ruleCommand } from "./commands.js";
export { detectCommands } from "./detect.js";
export { detectLint } from "./detect-lint.js";
export { rulesIn } from "./rules-in.js";
export { testsIn } from "./tests-in.js";
export { syntaxProblemOf } from "./problem-of.js";
export { checkSyntax } from "./syntax.js";
export { observeBaseline, validate } from "./validate.js";
export type { BaselineInput, ValidationInput } from "./validate.js";
export type { ChangeKnowledge, Check, Command, Failure, Validation } from "./types.js";
export { createBaselines } from "./baselines.js";
export type { Baselines } from "./baselines.js";
export { QueryRule, ValidateConfig, queryRules } from "./options.js";
