import { openDatabase } from '../../../service/store/open-database.ts';

/**
 * Stores `count` copies of a run of a data folder, with its journal. The copies are older runs of the same tenant. No
 * service may run on the folder.
 */
export async function storeRuns(dataDir: string, count: number): Promise<void> {
  const db = await openDatabase({ dataDir, sync: 'off' });
  try {
    await db.transaction(async (tx) => {
      const columns = async (table: string, own: readonly string[]): Promise<string> => {
        const info = await tx(table).columnInfo();
        return Object.keys(info)
          .filter((column) => !own.includes(column))
          .join(', ');
      };
      const [model] = (await tx('executions').whereNotNull('graph_id').limit(1)) as { id: string }[];
      if (!model) throw new Error('there is no run to copy');
      const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
      // The ids begin with a time in 2020, so they sort before those of the service.
      const id = `printf('%012x%020x', 1600000000000 + n.i * 10, n.i)`;
      const rest = await columns('executions', ['id']);
      await tx.raw(
        `insert into executions (id, ${rest}) ${numbers} select ${id}, ${rest} from n, executions e where e.id = ?`,
        [model.id],
      );
      const entry = await columns('journal', ['execution_id']);
      await tx.raw(
        `insert into journal (execution_id, ${entry}) ${numbers}
         select ${id}, ${entry} from n, journal j where j.execution_id = ?`,
        [model.id],
      );
    });
  } finally {
    await db.close();
  }
}
