import { z } from "zod";

/** How what people teach is written down. */
export const DepositOptions = z.strictObject({
  depositor: z
    .enum(["model", "rules"])
    .default("model")
    .describe(
      "Who turns what a person says into lessons: model asks one, and where it fails or the budget is used up rules do it; rules asks none.",
    ),
});
