/** Changes of who may call an operation, for how long, and how often, with the rules that have to find them. */
import { get, operation, type Case } from './breaking.ts';

const lasting = (fields: Record<string, unknown>) => get({ deprecated: true, ...fields });

export const CALLERS: readonly Case[] = [
  {
    name: 'security added',
    before: get({ security: [] }),
    after: get({ security: [{ key: [] }] }),
    finds: ['security-requirement-changed'],
  },
  { name: 'security inherited', before: get({ security: [] }), after: get(), finds: ['security-requirement-changed'] },
  {
    name: 'another scheme than the inherited one',
    before: get(),
    after: get({ security: [{ other: [] }] }),
    finds: ['security-requirement-changed'],
  },
  {
    name: 'a second scheme needed',
    before: get(),
    after: get({ security: [{ key: [], other: [] }] }),
    finds: ['security-requirement-changed'],
  },
  {
    name: 'a scheme no longer accepted',
    before: get({ security: [{ key: [] }, { other: [] }] }),
    after: get(),
    finds: ['security-requirement-changed'],
  },
  { name: 'another scheme accepted as well', before: get(), after: get({ security: [{ other: [] }, { key: [] }] }), finds: [] },
  { name: 'the inherited security written out', before: get(), after: get({ security: [{ key: [] }] }), finds: [] },
  { name: 'security removed', before: get(), after: get({ security: [] }), finds: [] },
  { name: 'a deprecation with a sunset to come', before: get(), after: lasting({ 'x-deprecated-sunset': '2027-01-01' }), finds: [] },
  {
    name: 'a deprecation with a sunset that is past',
    before: get(),
    after: lasting({ 'x-deprecated-sunset': '2026-01-01' }),
    finds: ['sunset-earlier'],
  },
  {
    name: 'a sunset moved earlier',
    before: lasting({ 'x-deprecated-sunset': '2027-12-31' }),
    after: lasting({ 'x-deprecated-sunset': '2027-01-01' }),
    finds: ['sunset-earlier'],
  },
  {
    name: 'a sunset moved later',
    before: lasting({ 'x-deprecated-sunset': '2027-01-01' }),
    after: lasting({ 'x-deprecated-sunset': '2027-12-31' }),
    finds: [],
  },
  { name: 'a deprecation taken back', before: lasting({ 'x-deprecated-sunset': '2027-01-01' }), after: get(), finds: [] },
  {
    name: 'an operation removed before its sunset',
    before: { ...lasting({ 'x-deprecated-sunset': '2027-01-01' }), put: operation() },
    after: { put: operation() },
    finds: ['operation-removed'],
  },
  {
    name: 'an operation removed after its sunset',
    before: { ...lasting({ 'x-deprecated-sunset': '2026-01-01' }), put: operation() },
    after: { put: operation() },
    finds: [],
  },
  {
    name: 'a stability lowered',
    before: get({ 'x-stability': 'beta' }),
    after: get({ 'x-stability': 'experimental' }),
    finds: ['stability-lowered'],
  },
  { name: 'a stability raised', before: get({ 'x-stability': 'beta' }), after: get(), finds: [] },
  { name: 'a cost raised', before: get(), after: get({ 'x-rate-limit-cost': 2 }), finds: ['rate-limit-cost-raised'] },
  { name: 'a cost lowered', before: get({ 'x-rate-limit-cost': 2 }), after: get(), finds: [] },
];
