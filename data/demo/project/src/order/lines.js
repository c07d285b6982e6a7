import { HttpError } from "../http/errors.js";
import { countField, textField } from "../lib/checks.js";
import { sumCents } from "../lib/money.js";

/** Sum of an order in cents, at the prices it was placed with. */
export function totalOf({ lines }) {
  return sumCents(lines.map(({ pieces, cents }) => pieces * cents));
}

/** Lines as sent, with today's prices written into them: a later price change does not touch a placed order. */
export function priceLines(lines, products) {
  const isEmpty = !Array.isArray(lines) || lines.length === 0;
  if (isEmpty) throw new HttpError(422, "lines is empty: an order needs one or more.");
  return lines.map(({ product, pieces }, at) => {
    const id = textField(product, `lines[${at}].product`);
    const { cents, stock } = products.get(id);
    const wanted = countField(pieces, `lines[${at}].pieces`, 1);
    if (wanted > stock) throw new HttpError(409, `Only ${stock} pieces of ${id} are left.`);
    return Object.freeze({ product: id, pieces: wanted, cents });
  });
}
