import { AppError } from '@specwright/server';
import { express } from '@specwright/server/express';
import type { Handler, Handlers } from '../readme/generated/contract.ts';

interface Caller {
  readonly userId: number;
}

const notes = new Map<number, string>();

export const getNote: Handler<'getNote', Caller> = express((req, res) => {
  const { noteId } = req.params; // a number, at least 1: it was validated
  const text = notes.get(noteId);
  if (text === undefined) return res.status(404).json({ code: 'not_found', message: `there is no note ${noteId}`, status: 404 });
  res.json({ id: noteId, text });
});

export const handlers: Handlers<Caller> = {
  getNote,
  createNote: express(async (req, res, next) => {
    const id = notes.size + 1;
    if (id > 1000) return next(new AppError('service_unavailable', 'there are too many notes'));
    notes.set(id, req.body.text);
    req.context.log.info({ userId: req.context.caller.userId, id }, 'note created');
    res.status(201).location(`/notes/${id}`).json({ id, text: req.body.text });
  }),
};
