import { hash } from 'node:crypto';

/** Returns the name of a topic in the event hub and in hints. It has the form of an execution id, and no two tenants share one. */
export function topicSession(tenantId: string, topic: string): string {
  return hash('sha256', `${tenantId}\0${topic}`).slice(0, 32);
}
