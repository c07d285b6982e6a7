import { ordersToJson } from "../order/json.js";
import { usersToJson } from "../user/json.js";

/** Every export that the back office offers: module → format → function. Routes and docs follow this table. */
export const exporters = {
  user: { json: usersToJson },
  order: { json: ordersToJson },
};
