export interface StreamBenchOptions {
  /** Of each measurement. */
  seconds: number;
  warmUpSeconds: number;
  rounds: number;
  say: (text: string) => void;
}

/** A service with nodes, on SQLite, the container of its nodes, and a handler that passes the container's frames on. */
export interface StreamService {
  url: string;
  key: string;
  endpoint: string;
  gateway: string;
}
