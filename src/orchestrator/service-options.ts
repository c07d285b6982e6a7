import { z } from "zod";

const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[\w.-]+$/;

/** Other repositories that a requirement may change: the key `services` of `.github/agent.yml`. */
export const ServiceOptions = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "a service's name is of a-z, 0-9 and -, such as wallet"),
    z.strictObject({
      repository: z
        .string()
        .regex(REPOSITORY, "a repository looks like owner/name, on the same GitHub as this one")
        .describe("The service's repository, owner/name, where the app is installed too."),
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
  .superRefine((services, context) => {
    const bases = new Map<string, string>();
    for (const [name, { repository, base }] of Object.entries(services)) {
      const key = repository.toLowerCase();
      if ((bases.get(key) ?? base) !== base) {
        const message = `${repository} holds several services, which have one branch: give all of them one base`;
        context.addIssue({ code: "custom", path: [name, "base"], message });
      }
      bases.set(key, base);
    }
  })
  .default({});

/** See the schema of the same name. */
export type ServiceOptions = z.infer<typeof ServiceOptions>;
