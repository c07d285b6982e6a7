/** What the loop says to a model, in one place. */
export const NOTICES = {
  nudge: "Call complete_task to finish, or another tool to go on. Text alone does nothing.",
  cutOff: "Your reply was cut off at the output limit. Go on with a tool call, in smaller steps.",
  repeating:
    "You are repeating the same calls with the same arguments. Try another way, or call complete_task.",
  notExecutedCutOff:
    "Not executed: your reply was cut off at the output limit. Split the work into smaller calls.",
  notExecutedSibling: "Not executed: complete_task must be the only call of its turn.",
  notExecutedGrace: "Not executed: only complete_task is possible now.",
  graceTurns:
    "Your turns are used up. Call complete_task now, with what you have, and say in it what is missing.",
  graceTime:
    "Your time is used up. Call complete_task now, with what you have, and say in it what is missing.",
} as const;
