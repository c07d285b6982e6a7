import { userColumns } from "./columns.js";

export function usersToJson(users) {
  return JSON.stringify(users.map((user) => Object.fromEntries(userColumns.map((column) => [column, user[column] ?? null]))), null, 2);
}
