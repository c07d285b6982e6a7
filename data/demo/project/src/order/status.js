import { HttpError } from "../http/errors.js";

/** Which status an order can move to from which. */
const moves = {
  open: ["paid", "cancelled"],
  paid: ["sent", "cancelled"],
  sent: ["done"],
  done: [],
  cancelled: [],
};

/** Whether an order in this status counts as sold. */
export function isSold(status) {
  return status !== "cancelled" && status !== "open";
}

/** Contract: throws when the move is not possible. */
export function checkMove(id, from, to) {
  if (!Object.hasOwn(moves, to)) throw new HttpError(422, `"${to}" is no status: ${Object.keys(moves).join(", ")}.`);
  if (moves[from].includes(to)) return;
  const possible = moves[from].length > 0 ? `It can become ${moves[from].join(" or ")}.` : "It stays so.";
  throw new HttpError(409, `${id} is ${from} and cannot become ${to}. ${possible}`);
}
