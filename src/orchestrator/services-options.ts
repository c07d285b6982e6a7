import { z } from "zod";

/** A name that can be a folder's, a branch's and a file's. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,59}$/;
/** `owner/name`, an https address, or a folder that begins with ./, ../ or /. */
const PLACE = /^(?:[A-Za-z0-9][\w-]*\/[\w.-]+|https?:\/\/\S+|\.{0,2}\/.*)$/;

/** Other services, by name: repositories that a requirement may change and that `load-service` reads. */
export const ServicesOptions = z
  .record(
    z.string().regex(NAME, "a service's name is of a-z, 0-9, -, _ and ., such as wallet-service"),
    z.strictObject({
      repository: z
        .string()
        .regex(
          PLACE,
          "a repository looks like owner/name; for the command line also an https address or ./folder",
        )
        .describe(
          "Where it lives: owner/name on the same GitHub, where the app is installed too; to be read from the command line also an address or a folder.",
        ),
      base: z
        .string()
        .default("")
        .describe(
          "Branch that work on it starts from; empty: what its own .github/agent.yml says, else its default branch.",
        ),
      paths: z
        .array(z.string().min(1))
        .default([])
        .describe(
          "Globs of the files that are the service, where its repository holds more; empty: all of them.",
        ),
    }),
  )
  .default({});

/** See the schema of the same name. */
export type ServicesOptions = z.infer<typeof ServicesOptions>;
