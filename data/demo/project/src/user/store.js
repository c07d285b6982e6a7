export function createUserStore() {
  const users = new Map();
  return {
    add(user) {
      if (users.has(user.id)) throw new Error(`user ${user.id} exists already`);
      users.set(user.id, user);
      return user;
    },
    find: (id) => users.get(id) ?? null,
    list: () => [...users.values()],
  };
}
