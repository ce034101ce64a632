export interface StreamBenchOptions {
  /** Duration of each measurement. */
  seconds: number;
  warmUpSeconds: number;
  rounds: number;
  say: (text: string) => void;
}

/** A service with nodes, on SQLite, and the container of its nodes. */
export interface StreamService {
  url: string;
  key: string;
  endpoint: string;
}
