/** Columns of every export of orders, in order. */
export const orderColumns = ["id", "customer", "cents", "note"];
