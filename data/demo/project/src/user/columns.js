/** Columns of every export of users, in order. */
export const userColumns = [
  { name: "id", of: (user) => user.id },
  { name: "name", of: (user) => user.name },
  { name: "email", of: (user) => user.email },
  { name: "since", of: (user) => user.since },
  { name: "status", of: (user) => (user.closed ? "closed" : "active") },
  { name: "note", of: (user) => user.note },
];
