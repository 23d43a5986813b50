package tierbench.common.web;

import tierbench.common.TokenKey;
import tierbench.common.data.Session;

/** All that an interaction works with. */
public record Visit(Form form, Session session, TokenKey tokenKey) {}
