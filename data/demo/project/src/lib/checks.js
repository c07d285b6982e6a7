import { HttpError } from "../http/errors.js";

const MAX_NOTE = 500;

function refuse(message) {
  throw new HttpError(422, message);
}

/** A text that is not blank, trimmed. */
export function textField(value, name) {
  if (typeof value !== "string" || value.trim() === "") refuse(`${name} is missing: send a text.`);
  return value.trim();
}

export function emailField(value, name) {
  const email = textField(value, name).toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) refuse(`${name} "${email}" is no address.`);
  return email;
}

/** A whole number from `least` upwards; amounts are cents. */
export function countField(value, name, least = 0) {
  if (Number.isSafeInteger(value) && value >= least) return value;
  return refuse(`${name} has to be a whole number from ${least} upwards.`);
}

/** A remark that may be left out. */
export function noteField(value) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") refuse("note has to be a text.");
  if (value.length > MAX_NOTE) refuse(`note has ${value.length} characters, at most ${MAX_NOTE} are kept.`);
  return value.trim();
}
