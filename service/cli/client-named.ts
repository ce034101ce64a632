/** The ways in which a client is named. */
interface Named {
  id: string;
  name: string;
  slug: string;
}

/** Returns the client with this id, or else with this name, or else with this slug. */
export function clientNamed<Client extends Named>(
  clients: readonly Client[],
  given: string,
): Client | undefined {
  return (
    clients.find(({ id }) => id === given) ??
    clients.find(({ name }) => name === given) ??
    clients.find(({ slug }) => slug === given)
  );
}
