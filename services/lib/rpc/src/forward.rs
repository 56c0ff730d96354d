//! The server of a service as a list: which function answers which RPC.

/// Implements the server of a service: each RPC awaits the function that is named beside it, with the service and the request. The
/// messages have the names of the RPC with `Request` and `Response`, as `cargo xtask check proto` requires; an upload receives a stream
/// of requests, a download answers with the stream that is named beside it.
#[macro_export]
macro_rules! forward {
    (
        $server:path as $service:ident, messages of $pb:ident {
            $($rpc:ident => $function:path;)*
        }
        $(uploads { $($upload:ident => $receiver:path;)* })?
        $(downloads { $($download:ident: $stream:ty => $sender:path;)* })?
    ) => {
        $crate::forward::paste! {
            #[tonic::async_trait]
            impl $server for $service {
                $(
                    async fn $rpc(
                        &self,
                        request: tonic::Request<$pb::[<$rpc:camel Request>]>,
                    ) -> Result<tonic::Response<$pb::[<$rpc:camel Response>]>, tonic::Status> {
                        $function(self, request).await
                    }
                )*
                $($(
                    async fn $upload(
                        &self,
                        request: tonic::Request<tonic::Streaming<$pb::[<$upload:camel Request>]>>,
                    ) -> Result<tonic::Response<$pb::[<$upload:camel Response>]>, tonic::Status> {
                        $receiver(self, request).await
                    }
                )*)?
                $($(
                    type [<$download:camel Stream>] = $stream;

                    async fn $download(
                        &self,
                        request: tonic::Request<$pb::[<$download:camel Request>]>,
                    ) -> Result<tonic::Response<$stream>, tonic::Status> {
                        $sender(self, request).await
                    }
                )*)?
            }
        }
    };
}

pub use pastey::paste;
