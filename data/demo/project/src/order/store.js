export function createOrderStore() {
  const orders = new Map();
  return {
    add(order) {
      if (!(order.cents >= 0)) throw new Error(`order ${order.id} has no valid amount: ${order.cents}`);
      orders.set(order.id, order);
      return order;
    },
    list: () => [...orders.values()],
    total: () => [...orders.values()].reduce((sum, order) => sum + order.cents, 0),
  };
}
