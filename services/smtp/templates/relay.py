"""Takes mail over SMTP and hands it to a mail store over LMTP, before it answers."""

import asyncio
import signal
import smtplib
import sys

from aiosmtpd.smtp import SMTP

MAILBOXES = ("{{ application }}.test",)


class Relay:
    def __init__(self, host, port):
        self.store = (host, port)

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.rpartition("@")[2] not in MAILBOXES:
            return "550 5.7.1 relaying denied"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        return await asyncio.to_thread(self.hand_over, envelope)

    def hand_over(self, envelope):
        try:
            with smtplib.LMTP(*self.store) as store:
                # Refused are all of them, or this raises; what one mailbox doesn't take nobody is told to have got.
                refused = store.sendmail(envelope.mail_from, envelope.rcpt_tos, envelope.content)
        except smtplib.SMTPRecipientsRefused as refusal:
            refused = refusal.recipients
        except (OSError, smtplib.SMTPException) as fault:
            return f"451 4.3.0 the mail store does not answer: {type(fault).__name__}"
        if refused:
            return "550 5.1.1 no such mailbox: " + ", ".join(refused)
        return "250 2.0.0 delivered"


async def serve(address, port, store):
    loop = asyncio.get_running_loop()
    relay = Relay(*store)
    server = await loop.create_server(lambda: SMTP(relay, hostname=MAILBOXES[0]), address, port, backlog=1024)
    over = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, over.set)
    await over.wait()
    server.close()


if __name__ == "__main__":
    address, port, store_host, store_port = sys.argv[1:]
    asyncio.run(serve(address, int(port), (store_host, int(store_port))))
