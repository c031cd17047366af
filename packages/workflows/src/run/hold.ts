/** A worker's hold on a run that it has claimed. */
export interface Hold {
  /** Aborts when another worker holds the run. */
  readonly lost: AbortSignal;
  /** Whether this worker stops: the run is handed back after the steps in progress. */
  readonly isStopping: () => boolean;
  /**
   * Whether the lease may have expired since a moment: this process was frozen, or could not reach the database.
   *
   * @param since on the clock of `performance`
   */
  readonly isLate: (since: number) => boolean;
}
