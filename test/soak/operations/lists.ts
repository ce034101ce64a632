import { askUntilAnswered, type SoakContext } from '../load/soak-context.ts';

interface Page {
  executions?: { execution_id: string }[];
  pauses?: { pause_id: string }[];
  next_cursor?: string;
}

/** Reads pages of lists, and the record, events and pauses of a listed run. */
export async function lists(context: SoakContext): Promise<void> {
  const { choose, history } = context;
  const list = choose.pick(['executions', 'pauses'] as const);
  const limit = 1 + choose.below(40);
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 4; page += 1) {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const body = await get<Page>(context, `/invocations/v1/${list}?limit=${limit}${from}`);
    if (!body) return;
    ids.push(...(body.executions ?? []).map(({ execution_id }) => execution_id));
    ids.push(...(body.pauses ?? []).map(({ pause_id }) => pause_id));
    cursor = body.next_cursor;
    if (cursor === undefined) break;
  }
  history.listed.push({ list, ids });
  const [first] = ids;
  if (list === 'pauses' || first === undefined) return;
  for (const part of ['', '/events?decode=true&limit=5', '/pauses'])
    await get(context, `/invocations/v1/executions/${choose.pick(ids)}${part}`);
}

async function get<T>(context: SoakContext, path: string): Promise<T | undefined> {
  const { answer } = await askUntilAnswered(context, { path, expected: [200] });
  return answer?.status === 200 ? (answer.body as T) : undefined;
}
