import type { Metric, Registry } from "prom-client";

/** The observations of one combination of labels. */
export class Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Observations by their bucket; the last one has no bound. */
  readonly counts: number[];
  sum = 0;

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
  }
}

export interface CountedHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** The upper bounds of the buckets, in ascending order. */
  readonly buckets: readonly number[];
  readonly labelNames?: readonly string[];
  readonly registry: Registry;
}

/**
 * A histogram whose observation finds its series and raises a number. That of prom-client also validates each label and makes
 * objects, which took three hundredths of the processor time of a request.
 */
export class CountedHistogram {
  readonly #options: CountedHistogramOptions;
  readonly #series = new Map<string, Series>();

  constructor(options: CountedHistogramOptions) {
    this.#options = options;
    const { name } = options;
    // The registry asks its metrics for their values alone.
    options.registry.registerMetric({ name, get: async () => this.#read() } as unknown as Metric);
  }

  /** Returns the series of the values of the labels, in the order of their names. */
  of(...values: readonly string[]): Series {
    const key = values.join(" ");
    let series = this.#series.get(key);
    if (series === undefined) {
      const { labelNames = [], buckets } = this.#options;
      const labels = Object.fromEntries(
        labelNames.map((name, index) => [name, values[index] ?? ""]),
      );
      series = new Series(labels, buckets);
      this.#series.set(key, series);
    }
    return series;
  }

  #read(): object {
    const { name, help, buckets } = this.#options;
    const values = [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const below = counts.map((own, index) => {
        count += own;
        return {
          ...{ metricName: `${name}_bucket`, value: count },
          labels: { le: buckets[index] ?? "+Inf", ...labels },
        };
      });
      return [
        ...below,
        { metricName: `${name}_sum`, value: sum, labels },
        { metricName: `${name}_count`, value: count, labels },
      ];
    });
    return { name, help, type: "histogram", values, aggregator: "sum" };
  }
}
