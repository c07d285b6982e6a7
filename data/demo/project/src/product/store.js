import { HttpError, notFound } from "../http/errors.js";
import { countField, noteField, textField } from "../lib/checks.js";

/** Keeps the assortment and what is on the shelves. */
export function createProductStore() {
  const products = new Map();
  let last = 0;

  function get(id) {
    const product = products.get(id);
    if (!product) throw notFound(`product ${id}`);
    return product;
  }

  function put(product) {
    products.set(product.id, Object.freeze(product));
    return product;
  }

  return {
    /** Takes a product into the assortment. */
    add({ name, cents, stock = 0, note }) {
      return put({
        id: `p-${++last}`,
        name: textField(name, "name"),
        cents: countField(cents, "cents", 1),
        stock: countField(stock, "stock"),
        note: noteField(note),
      });
    },

    /** A new price for orders from now on. */
    reprice(id, cents) {
      return put({ ...get(id), cents: countField(cents, "cents", 1) });
    },

    /** Takes pieces off the shelf for an order. */
    take(id, pieces) {
      const product = get(id);
      if (pieces > product.stock) throw new HttpError(409, `Only ${product.stock} pieces of ${id} are left.`);
      return put({ ...product, stock: product.stock - pieces });
    },

    /** Puts pieces back, or new ones in. */
    giveBack(id, pieces) {
      const product = get(id);
      return put({ ...product, stock: product.stock + countField(pieces, "pieces", 1) });
    },

    get,
    find: (id) => products.get(id) ?? null,
    list: () => [...products.values()],
  };
}
