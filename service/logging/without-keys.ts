/** The form of API keys, of app keys, and of their hashes in the database. */
const keyForm = /(?:svcapp_)?[0-9a-f]{64}/gi;

/** Replaces keys, for text that may quote a request. */
export function withoutKeys(text: string): string {
  return text.replaceAll(keyForm, '[key]');
}
