import { declarationsOf, protos } from '../deployment/packages.ts';
import { askUntilAnswered, newId, type SoakContext } from '../load/soak-context.ts';

/** Publishes two versions of a package and deletes the first one, whose number cannot be reused. */
export async function publishedVersion(context: SoakContext): Promise<void> {
  const { tenant } = context;
  const name = `${tenant.tenant.handle}/soak-${newId().toLowerCase()}`;
  const path = `/api/v1/packages/${name}`;
  const publish = async (version: string, expected: readonly number[]): Promise<boolean> => {
    const { answer } = await askUntilAnswered(context, {
      method: 'POST',
      path: '/api/v1/packages',
      body: { name, version, visibility: 'private', protos, nodes: declarationsOf('steps') },
      expected,
    });
    return answer !== undefined && expected.includes(answer.status);
  };
  const read = (version: string, expected: number): Promise<unknown> =>
    askUntilAnswered(context, { path: `${path}/${version}`, expected: [expected] });
  // 200 if an earlier attempt has published the version.
  if (!(await publish('1.0.0', [200, 201]))) return;
  await read('1.0.0', 200);
  await publish('1.1.0', [200, 201]);
  const deleted = await askUntilAnswered(context, {
    method: 'DELETE',
    path: `${path}/1.0.0`,
    // 404 if an earlier attempt has deleted the version.
    expected: [204, 404],
  });
  if (!deleted.answer) return;
  await read('1.0.0', 404);
  await publish('1.0.0', [409]);
  await read('1.1.0', 200);
}
