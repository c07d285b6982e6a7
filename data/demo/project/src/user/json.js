import { userColumns } from "./columns.js";

/** Users as a list of objects with the export columns. */
export function usersToJson(users) {
  const rows = users.map((user) =>
    Object.fromEntries(userColumns.map(({ name, of }) => [name, of(user) ?? null])),
  );
  return JSON.stringify(rows, null, 2);
}
