/** Items as the stores give them out; name only what a test is about. */
export const samples = {
  user: (changes = {}) => ({
    id: "u-1",
    name: "Ada",
    email: "ada@example.org",
    since: "2026-03-01",
    closed: false,
    note: "",
    ...changes,
  }),
  order: (changes = {}) => ({
    id: "o-1",
    customer: "u-1",
    placed: "2026-03-01",
    status: "open",
    lines: [{ product: "p-1", pieces: 2, cents: 250 }],
    note: "",
    ...changes,
  }),
  product: (changes = {}) => ({ id: "p-1", name: "Tea", cents: 250, stock: 10, note: "", ...changes }),
};

/** The clock of the tests: noon on a day in spring. */
export const clock = () => Date.UTC(2026, 2, 1, 12);
