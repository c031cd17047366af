import { Redis } from "ioredis";

type SendCommand = Redis["sendCommand"];

/**
 * A connection to Redis that sends the commands of one turn of the event loop by one write, in their order: under load, a
 * write costs more than what it carries.
 */
export class GatheringRedis extends Redis {
  override sendCommand(...sent: Parameters<SendCommand>): ReturnType<SendCommand> {
    const { stream } = this;
    if (stream?.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...sent);
  }
}
