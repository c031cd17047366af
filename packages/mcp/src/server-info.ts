/** What the server says of itself. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}
