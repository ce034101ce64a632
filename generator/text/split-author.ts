import { showInvisible } from './show-invisible.ts';

interface Author {
  name: string;
  /** Empty if there is none. */
  email: string;
}

/** Splits `Ada Lovelace <ada@example.com>`. */
export function splitAuthor(text: string): Author {
  const [, name = text, email = ''] = /^(.*) <([^<>]+)>$/.exec(text) ?? [];
  return { name: showInvisible(name), email: showInvisible(email) };
}
