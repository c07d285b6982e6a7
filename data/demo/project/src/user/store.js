import { HttpError, notFound } from "../http/errors.js";
import { emailField, noteField, textField } from "../lib/checks.js";
import { dayOf } from "../lib/dates.js";

/** Keeps the accounts in the order in which they were opened. */
export function createUserStore(clock) {
  const users = new Map();
  let last = 0;

  function get(id) {
    const user = users.get(id);
    if (!user) throw notFound(`user ${id}`);
    return user;
  }

  function put(user) {
    users.set(user.id, Object.freeze(user));
    return user;
  }

  /** Closed accounts keep their address: a new account with it would get the old one's mail. */
  function findByEmail(email) {
    return [...users.values()].find((user) => user.email === email) ?? null;
  }

  function refuseTaken(email, self = null) {
    const other = findByEmail(email);
    if (other && other.id !== self) throw new HttpError(409, `${email} belongs to ${other.id} already.`);
  }

  return {
    /** Opens an account. */
    add({ name, email, note }) {
      const address = emailField(email, "email");
      refuseTaken(address);
      return put({
        id: `u-${++last}`,
        name: textField(name, "name"),
        email: address,
        since: dayOf(clock()),
        closed: false,
        note: noteField(note),
      });
    },

    /** Changes what a person may change; everything that is left out stays. */
    change(id, { name, email, note }) {
      const user = get(id);
      if (user.closed) throw new HttpError(409, `${id} is closed and cannot be changed.`);
      const address = email === undefined ? user.email : emailField(email, "email");
      refuseTaken(address, id);
      return put({
        ...user,
        name: name === undefined ? user.name : textField(name, "name"),
        email: address,
        note: note === undefined ? user.note : noteField(note),
      });
    },

    /** Closes an account. What it ordered stays in the books. */
    close(id) {
      return put({ ...get(id), closed: true });
    },

    get,
    findByEmail,
    find: (id) => users.get(id) ?? null,
    list: () => [...users.values()],
  };
}
