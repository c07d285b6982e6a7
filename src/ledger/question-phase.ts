/** Phase of the calls that answer a question. They go on beside a run of the same requirement: its books are not theirs to close. */
export const QUESTION_PHASE = "ask";
