//! How messages with passwords or tokens show themselves in a log: by what is harmless in them.

use std::fmt::{Debug, Formatter, Result};

use crate::auth::{
    LoginRequest, LogoutRequest, RegisterRequest, ResolveSessionRequest, ResolveSessionResponse, Session,
};

macro_rules! shown_without_secrets {
    ($($message:ident { $($harmless:ident),* })*) => {
        $(
            impl Debug for $message {
                fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                    f.debug_struct(stringify!($message))
                        $(.field(stringify!($harmless), &self.$harmless))*
                        .finish_non_exhaustive()
                }
            }
        )*
    };
}

shown_without_secrets! {
    RegisterRequest { member_id }
    LoginRequest {}
    Session { expires_at }
    LogoutRequest {}
    ResolveSessionRequest {}
    ResolveSessionResponse { member_id, session_id, expires_at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let secret = || "hunter2".to_owned();
        let register = RegisterRequest { password: secret(), ..RegisterRequest::default() };
        let login = LoginRequest { password: secret(), ..LoginRequest::default() };
        let session = Session { token: secret(), ..Session::default() };
        let logout = LogoutRequest { session_token: secret() };
        let resolve = ResolveSessionRequest { session_token: secret() };
        let resolved = ResolveSessionResponse { member_token: secret(), ..ResolveSessionResponse::default() };
        let shown = format!("{register:?} {login:?} {session:?} {logout:?} {resolve:?} {resolved:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
