import type { CompiledGraph } from '../engine/graph/compiled-graph.ts';
import { flowRecipients } from '../engine/graph/flow-recipients.ts';
import { recipientText, type SecretRecipient, secretRecipients } from '../nodes/secret-recipients.ts';
import { type ClientMember, listMembers } from '../store/client-members.ts';
import type { Tx } from '../store/database.ts';
import { findGraph } from '../store/graphs.ts';
import { findNodeByUlid } from '../store/nodes.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { similarAliases } from './member-alias.ts';
import { type UsedVersion, usedVersions } from './used-versions.ts';

/**
 * Returns the warnings for each new member of a client: which of the tenant's secrets another tenant will receive, which aliases
 * are so similar that SDKs have to number them, and which packages other members use in another version.
 */
export async function memberWarnings(tx: Tx, members: readonly ClientMember[]): Promise<string[][]> {
  const [first] = members;
  if (!first) return [];
  const all = await listMembers(tx, first.tenantId, first.clientId);
  const similarTo = similarAliases(all.map(({ alias }) => alias));
  const otherVersionTexts = otherVersions(await usedVersions(tx, all));
  const warnings: string[][] = [];
  for (const member of members) {
    await loopTurns.yieldIfSpent();
    warnings.push([
      ...(await recipientsOf(tx, member)).map(recipientText),
      ...similarTo(member.alias).map((other) => similarText(member.alias, other)),
      ...otherVersionTexts(member.alias),
    ]);
  }
  return warnings;
}

function similarText(alias: string, other: string): string {
  return `alias "${alias}" differs from "${other}" by separators or case alone: SDKs tell the two apart by a number`;
}

/**
 * Returns a function that lists, for the alias of a member, one text for each other version of a package that it uses, with the first
 * member that uses that version.
 */
function otherVersions(used: readonly UsedVersion[]): (alias: string) => string[] {
  const byAlias = Map.groupBy(used, ({ alias }) => alias);
  const firstUses = new Map<string, UsedVersion>();
  for (const one of used) {
    const pin = `${one.package}@${one.version}`;
    if (!firstUses.has(pin)) firstUses.set(pin, one);
  }
  const byPackage = Map.groupBy(firstUses.values(), (one) => one.package);
  return (alias) => {
    const texts = new Set<string>();
    for (const own of byAlias.get(alias) ?? []) {
      for (const other of byPackage.get(own.package) ?? []) {
        if (other.version === own.version) continue;
        texts.add(
          `"${alias}" uses ${own.package}@${own.version}, but "${other.alias}" uses ${other.package}@${other.version}: ` +
            'an SDK gives the messages of two versions different names, so move all members to one version before you build',
        );
      }
    }
    return [...texts];
  };
}

async function recipientsOf(
  tx: Tx,
  { tenantId, artifactId, nodeUlid, packageName }: ClientMember,
): Promise<SecretRecipient[]> {
  if (artifactId !== null) {
    const graph = await findGraph(tx, tenantId, artifactId);
    // Only the compiler writes this column.
    const compiled = graph?.compiled as CompiledGraph | undefined;
    return compiled ? flowRecipients(tx, tenantId, compiled.nodes) : [];
  }
  const node = nodeUlid === null ? undefined : await findNodeByUlid(tx, nodeUlid);
  return node ? secretRecipients(tx, tenantId, [{ ...node, packageName: packageName ?? '' }]) : [];
}
