/** Where the events of a run come from: data in the page, or a WebSocket. */

import type { EventRow } from "./events";
import type { Line, RunInfo, RunView } from "./view";

/** What the server sends, or what a self-contained page holds of a run. */
interface Message {
  readonly info?: RunInfo;
  readonly events?: readonly EventRow[];
  readonly lines?: readonly Line[];
  readonly control?: boolean;
  readonly images?: Readonly<Record<string, string>>;
  readonly leftOut?: number;
  readonly loaded?: boolean;
  readonly trouble?: string;
  readonly reply?: string;
}

export interface PageData {
  readonly runs: Readonly<Record<string, readonly Message[]>>;
}

export interface Feed {
  send(request: Record<string, unknown>): void;
  close(): void;
}

/** The data in a self-contained page; null in a page from a server. */
export function pageData(): PageData | null {
  const element = document.getElementById("foretree-data");
  return element === null ? null : (JSON.parse(element.textContent ?? "null") as PageData);
}

function take(view: RunView, message: Message): void {
  if (message.info !== undefined) view.info = message.info;
  if (message.control !== undefined) view.canControl = message.control;
  if (message.events !== undefined) view.timeline.add(message.events);
  if (message.lines !== undefined) view.lines.push(...message.lines);
  if (message.images !== undefined) view.images = message.images;
  if (message.leftOut !== undefined) view.imagesLeftOut = message.leftOut;
  if (message.trouble !== undefined) view.trouble = message.trouble;
  if (message.reply !== undefined) view.reply = message.reply;
  if (message.loaded) view.loaded = true;
  view.arrived();
}

/** Feed *view* from the data in the page, or from the server that the page came from. */
export function connect(view: RunView, data: PageData | null): Feed {
  return data === null ? new Socket(view) : new Embedded(view, data);
}

class Embedded implements Feed {
  constructor(view: RunView, data: PageData) {
    view.images = {};
    const messages = data.runs[view.id] ?? [{ trouble: `This page does not hold the run ${view.id}.` }];
    for (const message of messages) take(view, message);
  }

  send(): void {}

  close(): void {}
}

class Socket implements Feed {
  private socket: WebSocket | null = null;
  private closed = false;
  private tries = 0;

  constructor(private readonly view: RunView) {
    this.open();
  }

  private open(): void {
    const last = this.view.timeline.rows[this.view.timeline.length - 1]?.[0] ?? 0;
    const address = new URL(`runs/${encodeURIComponent(this.view.id)}/feed?after=${last}`, location.href.split("#")[0]);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (event) => {
      this.tries = 0;
      take(this.view, JSON.parse(event.data as string) as Message);
    };
    socket.onclose = () => {
      if (this.closed || this.view.trouble !== "" || (this.view.info !== null && !this.view.live)) return;
      // The server is gone or busy: try again, less and less often.
      this.view.reply = "The connection is lost; trying again.";
      this.view.changed();
      setTimeout(() => !this.closed && this.open(), Math.min(500 * 2 ** this.tries++, 8000));
    };
    socket.onopen = () => {
      if (this.view.reply.startsWith("The connection is lost")) this.view.reply = "";
    };
  }

  send(request: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
    else take(this.view, { reply: "There is no connection to the server." });
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}
