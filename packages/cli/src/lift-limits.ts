/** Takes the limits off a server that is to be attacked with all that a machine can send. */
import { openDatabase } from '@specwright/postgres';
import { readProjectConfig } from './project-config.ts';

/**
 * Lets the counters of the server's database never fill: the attack makes more requests than any plan allows, with and
 * without a key. Limits are asked and told all the same.
 */
export async function liftLimits(dataDir: string): Promise<void> {
  const database = await openDatabase({ name: readProjectConfig().name, databaseUrl: undefined, databasePool: 1, dataDir });
  try {
    await database.db.raw(`
      CREATE FUNCTION never_fill() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.minute_used := 0; NEW.day_used := 0; RETURN NEW; END $$;
      CREATE TRIGGER never_fill BEFORE INSERT OR UPDATE ON rate_limit_counters FOR EACH ROW EXECUTE FUNCTION never_fill();`);
  } finally {
    await database.close();
  }
}
