import { route } from "./http/routes.js";
import { createOrderStore } from "./order/store.js";
import { createProductStore } from "./product/store.js";
import { createUserStore } from "./user/store.js";

/** Puts the back office together. `clock` gives milliseconds; `handle` answers one request, see `route`. */
export function createApp(clock = Date.now) {
  const user = createUserStore(clock);
  const product = createProductStore();
  const order = createOrderStore(clock, { users: user, products: product });
  const shop = { clock, stores: { user, order, product } };
  return { stores: shop.stores, handle: (request) => route(shop, request) };
}
