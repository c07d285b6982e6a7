// Reads what a service is from its repository, and writes its document and the rules that bring it up.
export {
  commitIn,
  documentPath,
  filesIn,
  languageOfDocument,
  noteIn,
  proseIn,
  repositoryIn,
  summaryOf,
  writeDocument,
} from "./document.js";
export type { DocumentInput, WrittenDocument } from "./document.js";
export { keyModules } from "./key-modules.js";
export { isWritten, pickFiles } from "./pick-files.js";
export { ServiceProse, checkProse, citedFiles } from "./prose.js";
export type { CheckedProse } from "./prose.js";
export { readFacts } from "./read-facts.js";
export type { KnownService } from "./read-links.js";
export { serviceRules } from "./rules.js";
export type { RulesDeposit } from "./rules.js";
export { notesOn, servicesIn } from "./known-services.js";
export type { Fact, ServiceFacts, ServiceSource } from "./types.js";
