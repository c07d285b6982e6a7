/** Columns of every export of users, in order. */
export const userColumns = ["id", "name", "email"];
