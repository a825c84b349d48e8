/** Loaded into the server of a development loop: if the loop is killed, the server stops too, as it stops at a signal. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
