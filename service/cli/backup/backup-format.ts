import { z } from 'zod';

/** Incremented when an older svc cannot restore what a newer one writes. */
export const backupFormat = 1;

/**
 * A backup is a tar file: the manifest, `svc.db`, the encryption key if requested, the objects below `blobs/` and `archives/`,
 * and finally the SHA-256 of each preceding file, in the format of `sha256sum -c`.
 */
export const manifestName = 'svc-backup.json';
export const databaseName = 'svc.db';
export const sumsName = 'SHA256SUMS';
export const objectFolders = ['blobs', 'archives'] as const;

/** The key, and the new key if `svc secret rekey` was about to replace it. */
export const keyFileName = /^secret\.key(?:\.[0-9a-f]+)?$/;

export const backupManifest = z.object({
  format: z.int(),
  /** Version of svc that wrote the backup. */
  svc: z.string(),
  created_at: z.string(),
  /** Migrations of the database, oldest first. */
  migrations: z.array(z.string()),
  /** Whether the database has values that are encrypted with the key, and whether the key is in the backup. */
  key: z.enum(['unused', 'included', 'kept apart']),
});

/** The first file of a backup, from which a restore decides whether it can read the rest. */
export type BackupManifest = z.infer<typeof backupManifest>;
