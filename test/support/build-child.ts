import { openDatabase } from '../../service/store/open-database.ts';
import { quickRunner } from './build-fixture.ts';

/** A process that runs builds until it is killed: `build-child.ts <dataDir> <generatorDir> <templatesDir>`. */
const [dataDir = '', generatorDir = '', templatesDir = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir });
await quickRunner(db, dataDir, { folders: { generatorDir, templatesDir } }).start();
