import { ConfigurationError } from "./errors.ts";

const tokenForm = /^[!-~]+$/;

/**
 * A text that goes into a header, such as a key: of visible ASCII characters
 * unless `form` says otherwise. `what` names it in the `ConfigurationError`,
 * which does not show it.
 */
export function checkedText(
  what: string,
  text: string,
  form: RegExp = tokenForm,
): string {
  if (form.test(text)) return text;
  throw new ConfigurationError(
    `${what} holds a character that no header carries, such as a line break`,
  );
}
