import { HttpError, notFound } from "../http/errors.js";
import { noteField, textField } from "../lib/checks.js";
import { dayOf } from "../lib/dates.js";
import { sumCents } from "../lib/money.js";
import { priceLines, totalOf } from "./lines.js";
import { checkMove, isSold } from "./status.js";

/** Keeps the orders in the order in which they were placed; takes from and gives back to the shelves. */
export function createOrderStore(clock, { users, products }) {
  const orders = new Map();
  let last = 0;

  function get(id) {
    const order = orders.get(id);
    if (!order) throw notFound(`order ${id}`);
    return order;
  }

  function put(order) {
    orders.set(order.id, Object.freeze(order));
    return order;
  }

  function customerOf(id) {
    const user = users.get(textField(id, "customer"));
    if (user.closed) throw new HttpError(409, `${user.id} is closed and cannot order.`);
    return user.id;
  }

  const list = () => [...orders.values()];

  return {
    /** Places an order and takes its pieces off the shelves. */
    add({ customer, lines, note }) {
      const who = customerOf(customer);
      const priced = priceLines(lines, products);
      const remark = noteField(note);
      for (const { product, pieces } of priced) products.take(product, pieces);
      return put({
        id: `o-${++last}`,
        customer: who,
        placed: dayOf(clock()),
        status: "open",
        lines: Object.freeze(priced),
        note: remark,
      });
    },

    /** Moves an order on. A cancelled one gives its pieces back. */
    move(id, status) {
      const order = get(id);
      checkMove(id, order.status, status);
      if (status === "cancelled") {
        for (const { product, pieces } of order.lines) products.giveBack(product, pieces);
      }
      return put({ ...order, status });
    },

    /** Orders that were placed on a day and are sold. */
    soldOn: (day) => list().filter((order) => order.placed === day && isSold(order.status)),

    /** What a customer has ordered and not cancelled, in cents. */
    turnoverOf: (customer) =>
      sumCents(list().filter((order) => order.customer === customer && order.status !== "cancelled").map(totalOf)),

    get,
    find: (id) => orders.get(id) ?? null,
    list,
  };
}
