import type { Tree } from "../knowledge/index.js";

/** One statement about a service, and where it can be checked: `file#symbol` or `file:line`, relative to the service. */
export interface Fact {
  text: string;
  pointer: string;
}

/** The sections of a service's document, in their order. */
export const SECTIONS = [
  "position",
  "duties",
  "stack",
  "dependencies",
  "interfaces",
  "data",
  "modules",
  "configuration",
  "pitfalls",
] as const;

/** One of {@link SECTIONS}. */
export type Section = (typeof SECTIONS)[number];

/** A file of a service that others lean on, as the code map tells. */
export interface KeyModule {
  path: string;
  /** The definition that it is known for; null where none is given out. */
  symbol: string | null;
  /** First sentence of that definition's comment; empty without one. */
  about: string;
  /** How many files import it. */
  importers: number;
}

/** What a service is read from. */
export interface ServiceSource {
  /** Its name, as its document is called. */
  service: string;
  /** Where it lives, as people write it: `acme/goods`, an address, or a folder. */
  repository: string;
  commit: string;
  /** Its text files that say something, path → text, relative to the service. */
  files: Tree;
  modules: readonly KeyModule[];
}

/** What code reads from a service without a model. */
export interface ServiceFacts {
  /** Other names that people may call it. */
  names: string[];
  owners: string[];
  sections: Record<Section, Fact[]>;
}
