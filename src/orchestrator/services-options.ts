import { z } from "zod";

/** A name that can be a file's: no folder, nothing hidden. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

/** Other services that requirements here speak of, by name. */
export const ServicesOptions = z
  .record(
    z.string().regex(NAME, "a service's name looks like wallet-service"),
    z.strictObject({
      repository: z
        .string()
        .min(1)
        .describe("Where it lives: owner/name; for the command line also an address or a folder."),
      paths: z
        .array(z.string().min(1))
        .default([])
        .describe("Globs of this repository whose files concern it, such as services/wallet/**."),
    }),
  )
  .default({});
